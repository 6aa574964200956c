import { Alert, Button, Checkbox, Modal, PasswordInput, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { explain } from "../../wire/http/errors";
import { type User, resetPassword } from "../../wire/accounts/usersClient";
import { endedLabel } from "./ended";

/** Gives an account another password and says what that has ended. */
export function ResetPassword({ user }: { readonly user: User }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Reset the password of ${user.title}`}
        onClick={() => setOpen(true)}
      >
        Reset password
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title={`Reset the password of ${user.title}`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <ResetForm user={user} />
      </Modal>
    </>
  );
}

function ResetForm({ user }: { readonly user: User }) {
  const [password, setPassword] = useState("");
  const [keep, setKeep] = useState(false);
  const reset = useMutation({
    mutationFn: () => resetPassword(user.id, password, keep),
    onSuccess: () => setPassword(""),
  });
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    reset.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label="New password"
          description={`10 characters at least. ${user.title} is signed out everywhere.`}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Checkbox
          label="Keep tokens for scripts"
          description="Leave this off if somebody else may know the password: tokens made with it are revoked."
          checked={keep}
          onChange={(event) => setKeep(event.currentTarget.checked)}
        />
        {reset.error && <Alert color="red">{explain(reset.error)}</Alert>}
        {reset.data && (
          <Alert color="green" title="The password is changed">
            {endedLabel(reset.data)}
          </Alert>
        )}
        <Button
          type="submit"
          disabled={password.length < 10}
          loading={reset.isPending}
          style={{ alignSelf: "flex-start" }}
        >
          Reset password
        </Button>
      </Stack>
    </form>
  );
}
