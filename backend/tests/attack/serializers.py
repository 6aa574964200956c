"""What schemathesis, which imports this file, sends as bodies of media types that it does not know."""

from __future__ import annotations

import schemathesis

schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")  # resumable uploads
