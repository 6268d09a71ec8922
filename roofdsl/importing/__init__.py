"""From a model's published files (config.json, GGUF, safetensors) to text of the language. Files are data, never run."""
