"""From a reply's text to typed fields: find the JSON, coerce it, or say what is wrong."""
