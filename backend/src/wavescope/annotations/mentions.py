"""Whom the text of a comment names: ``@`` before the name of a person (AN48). Pure."""

from __future__ import annotations

from collections.abc import Mapping

MENTIONS = 20  # of one comment


def mentioned(text: str, people: Mapping[str, str]) -> dict[str, str]:
    """Of the people (name by id) those whom the text names, the first 20. Of several that fit, the longest counts."""
    folded, found = text.casefold(), dict[str, str]()
    names = sorted(((name.casefold(), person) for person, name in people.items() if name), key=lambda one: -len(one[0]))
    at = folded.find("@")
    while at >= 0 and len(found) < MENTIONS:
        begins_word = at == 0 or not folded[at - 1].isalnum()  # else an email address
        for name, person in names if begins_word else ():
            end = at + 1 + len(name)
            if folded.startswith(name, at + 1) and not folded[end : end + 1].isalnum():
                found[person] = people[person]
                break
        at = folded.find("@", at + 1)
    return found
