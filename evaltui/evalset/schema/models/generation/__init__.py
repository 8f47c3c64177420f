"""How google-genai calls a model (`google.genai.types.GenerateContentConfig` and all it holds)."""
