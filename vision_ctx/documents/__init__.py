"""From files to chunks with context: readers, chunking, situating."""
