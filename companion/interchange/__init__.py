"""Files that go in and out: score sheets, questions, match files, and the answers as JSON."""
