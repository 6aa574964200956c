"""The language of pages that the service writes itself, and the texts of these pages (LG8)."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

GERMAN = {
    "Adding the link": "Der Link wird hinzugefügt",
    "Cases": "Fälle",
    "Choose what the link opens": "Wählen, was der Link öffnet",
    "Continue": "Weiter",
    "Kind": "Art",
    "Next": "Weiter",
    "No case is found.": "Kein Fall gefunden.",
    "No quiz of yours is found. A quiz is written beside a slide, in the panel Tours.": (
        "Kein Quiz von Ihnen gefunden. Ein Quiz wird neben einem Präparat erstellt, im Bereich „Touren“."
    ),
    "No slide is found.": "Kein Präparat gefunden.",
    "No tour is found.": "Keine Tour gefunden.",
    "Open the link in the course again. If it fails again, show this message to your teacher.": (
        "Öffnen Sie den Link im Kurs noch einmal. Wenn es wieder nicht gelingt, zeigen Sie dies Ihrer Lehrperson."
    ),
    "Page {page} of {pages}": "Seite {page} von {pages}",
    "Previous": "Zurück",
    "Quizzes": "Quiz",
    "Reason: {reason}.": "Grund: {reason}.",
    "Search": "Suchen",
    "Slides": "Präparate",
    "Title": "Titel",
    "Tours": "Touren",
    "Wavescope is registered": "Wavescope ist registriert",
    # titles of problems that are shown as a page
    "The launch failed": "Der Start ist fehlgeschlagen",
    "No such learning platform": "Diese Lernplattform gibt es nicht",
    # reasons of launches that fail
    "it accepts no links to this tool": "sie nimmt keine Links zu diesem Werkzeug an",
    "it belongs to another launch": "sie gehört zu einem anderen Start",
    "it is not of LTI 1.3": "sie ist nicht von LTI 1.3",
    "it is valid for too long": "sie gilt zu lange",
    "it names no address for the answer": "sie nennt keine Adresse für die Antwort",
    "it names no person": "sie nennt keine Person",
    "it was begun in another browser, or this one blocks cookies": (
        "sie wurde in einem anderen Browser begonnen, oder dieser blockiert Cookies"
    ),
    "it was not begun here, has expired or was used already": (
        "sie wurde nicht hier begonnen, ist abgelaufen oder wurde schon verwendet"
    ),
    "its claims are not right": "ihre Angaben stimmen nicht",
    "its deployment is not registered here": "ihr Deployment ist hier nicht registriert",
    "its keys cannot be read": "ihre Schlüssel sind nicht lesbar",
    "its kind of message is not supported": "ihre Art von Nachricht wird nicht unterstützt",
    "its registration is at another place": "ihre Registrierung liegt an einem anderen Ort",
    "its signature is not right": "ihre Signatur stimmt nicht",
    "only a teacher chooses what a link leads to": "nur Lehrpersonen wählen, wohin ein Link führt",
    "the account is disabled": "das Konto ist gesperrt",
    "the invitation is unknown, has expired or was used already": (
        "die Einladung ist unbekannt, abgelaufen oder schon verwendet"
    ),
    "the learning platform is not registered here": "die Lernplattform ist hier nicht registriert",
    "the platform does not answer as it should": "die Plattform antwortet nicht, wie sie soll",
    "the platform refused": "die Plattform hat abgelehnt",
    # what stands in the place of a page that is not built
    "The microscope is not built yet": "Das Mikroskop ist noch nicht gebaut",
    "The service runs; its API is at {address}.": "Der Dienst läuft; seine API ist unter {address}.",
    "Build the microscope with {build}, or run {start}, from the repository's root.": (
        "Bauen Sie das Mikroskop mit {build}, oder starten Sie {start}, im obersten Ordner des Repositorys."
    ),
}
"""By the English text."""


@dataclass(frozen=True)
class Texts:
    """The texts of a page in its ``language``, a tag of HTML."""

    language: str

    def __call__(self, text: str, **values: object) -> str:
        """An English text in this language, with values for its {names}; what is not translated is in English."""
        return (GERMAN.get(text, text) if self.language == "de" else text).format(**values)


def texts_for(request: Request) -> Texts:
    """The first language by weight in ``Accept-Language`` that is known; else English."""
    best, weight = "en", 0.0
    for part in request.headers.get("accept-language", "")[:1000].split(","):
        tag, _, rest = part.partition(";")
        language = tag.strip().lower().partition("-")[0]
        if language in ("de", "en") and (wanted := _weight(rest)) > weight:
            best, weight = language, wanted
    return Texts(best)


def _weight(parameter: str) -> float:
    """Of ``q=0.8``; 1 if there is none, 0 if it is no weight."""
    name, _, value = parameter.strip().partition("=")
    if not name:
        return 1.0
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if name.strip().lower() == "q" and 0 <= weight <= 1 else 0.0
