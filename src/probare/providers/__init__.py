"""Chat models by name, through pydantic-ai's model layer (the extra `[models]`).

`Models` is the room's face; it implements `probare.ports.chat.ChatModels`.
"""

from probare.providers.models import Models

__all__ = ["Models"]
