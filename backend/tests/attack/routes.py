"""Every route of one service without accounts and of one with them: HEAD and what is no HTTP, JSON made to hurt, and
requests drawn from the contract. One module each; they share the services, which take seconds to start."""

from __future__ import annotations

from attack import bodies, contract, heads
from attack.clinic import clinic
from attack.report import Findings, Workspace

# access -> share of the time left for hurting JSON, and for the contract
SHARES = {"local": (0.1, 0.3), "accounts": (0.2, 1.0)}


def attack(workspace: Workspace, findings: Findings) -> None:
    for access, (for_bodies, for_contract) in SHARES.items():
        with clinic(workspace.folder, access) as at:
            heads.attack_clinic(at, findings)
            bodies.attack_clinic(at, workspace, findings, for_bodies)
            contract.attack_clinic(at, workspace, findings, for_contract)
            findings.check(not at.service.faults(), f"{access}: {at.service.faults()}")
