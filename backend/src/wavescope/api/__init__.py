"""HTTP: parameters in, answers out, one table from exception to status. No algorithm lives here."""

from pydantic import BaseModel

BaseModel.model_config["defer_build"] = True
"""A validator is built when it is first used: a process uses few of them, and a start would wait for all."""
