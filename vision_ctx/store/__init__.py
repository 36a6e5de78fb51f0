"""The index on disk: manifest, LanceDB tables, pictures and the derived word index."""
