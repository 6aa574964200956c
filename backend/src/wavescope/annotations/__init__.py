"""What an annotation is, what it measures, and the documents it comes in and goes out as: no HTTP, no SQL."""
