"""Live sessions as a service: open sessions in memory, stored in the catalog (shared/spec/session.md). No HTTP terms.

Each truth has one owner: who is connected (``connections``), who is a member and with what rights (``members``), the
state and the order of its changes (``pipeline``), what is stored (``persistence``), what is recorded (``recorder``).
"""
