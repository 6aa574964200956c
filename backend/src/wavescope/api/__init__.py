"""HTTP: parameters in, answers out, one table from exception to status. No algorithm lives here."""
