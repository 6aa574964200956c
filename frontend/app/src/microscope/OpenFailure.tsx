import { Failure } from "../accounts/Failure";

/** Why a slide cannot be opened, and whether waiting helps. */
export function OpenFailure({ error }: { readonly error: Error }) {
  return <Failure error={error} thing="slide" />;
}
