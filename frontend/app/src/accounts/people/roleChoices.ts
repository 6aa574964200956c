import { ROLES } from "@wavescope/core/wire/accounts/accountClient";
import { ROLE_NAMES } from "../../ui/roles";

/** The roles, for a field that chooses one. */
export const ROLE_CHOICES = ROLES.map((value) => ({ value, label: ROLE_NAMES[value] }));
