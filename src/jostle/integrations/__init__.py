"""jostle inside other tools: each module needs the extra of its tool, and is imported by name."""
