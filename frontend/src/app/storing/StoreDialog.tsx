import { Button, Group, Modal, Text } from "@mantine/core";
import { useState } from "react";
import { type Profile, startJob } from "../../wire/advice";
import { cancelJob } from "../../wire/catalogClient";
import { explain } from "../../wire/errors";
import { ProfileChoice } from "./ProfileChoice";

interface Held {
  readonly jobId: string;
  readonly name: string;
}

interface Props {
  readonly entries: readonly Held[];
  readonly onClose: () => void;
}

/** Before files become slides: how large each would be in either profile, how long it takes, and which one it shall be. */
export function StoreDialog({ entries, onClose }: Props) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Profile>>>({});
  const [failure, setFailure] = useState<unknown>(null);
  const profileOf = (jobId: string): Profile => chosen[jobId] ?? "visual";
  const act = (work: Promise<unknown>): void => void work.catch(setFailure);
  const startAll = (): void => act(Promise.all(entries.map(({ jobId }) => startJob(jobId, profileOf(jobId)))));
  return (
    <Modal opened onClose={onClose} title="How shall it be stored?" size="lg" closeButtonProps={{ "aria-label": "Later" }}>
      {entries.map(({ jobId, name }) => (
        <ProfileChoice
          key={jobId}
          jobId={jobId}
          name={name}
          profile={profileOf(jobId)}
          onProfile={(profile) => setChosen({ ...chosen, [jobId]: profile })}
          onStart={(profile) => act(startJob(jobId, profile))}
          onCancel={() => act(cancelJob(jobId))}
        />
      ))}
      {failure !== null && <Text className="failure">{explain(failure)}</Text>}
      <Group justify="space-between" mt="md">
        <Text size="xs" c="dimmed">
          Close this to decide later: the files wait.
        </Text>
        {entries.length > 1 && <Button onClick={startAll}>Make all {entries.length} slides</Button>}
      </Group>
    </Modal>
  );
}
