"""Where footage and documents come from: files, their instant and their camera."""
