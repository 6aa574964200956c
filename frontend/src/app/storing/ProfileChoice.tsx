import { Button, Group, Loader, Radio, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { type Advice, PROFILES, type Profile } from "../../wire/advice";
import { explain } from "../../wire/errors";
import { bytesLabel, durationLabel, sizeLabel } from "../wording";
import { isNoSlide, useAdvice } from "./useAdvice";
import styles from "./storing.module.css";

const NAMES = { visual: "Visual", lossless: "Lossless" } as const;
const MEANINGS = { visual: "Looks the same, takes far less room.", lossless: "Every pixel exactly as in the file." } as const;

interface Props {
  readonly jobId: string;
  readonly name: string;
  readonly profile: Profile;
  readonly onProfile: (profile: Profile) => void;
  readonly onStart: (profile: Profile) => void;
  readonly onCancel: () => void;
}

/** One uploaded file. Nobody has to wait for the advice. */
export function ProfileChoice({ jobId, name, profile, onProfile, onStart, onCancel }: Props) {
  const { data: advice, error } = useAdvice(jobId);
  useStartWhatCannotBeRead(error, () => onStart(profile));
  return (
    <section className={styles.choice} aria-label={name} data-testid="store-choice">
      <Text fw={600} truncate title={name}>
        {name}
      </Text>
      <Text size="sm" c="dimmed" role="status" data-testid="store-facts">
        {advice ? factsOf(advice) : error ? `Its size cannot be told: ${explain(error)}` : <Judging />}
      </Text>
      <Radio.Group value={profile} onChange={(value) => onProfile(value as Profile)} aria-label={`Profile of ${name}`} mt="xs">
        {PROFILES.map((one) => (
          <Radio key={one} value={one} my={6} label={labelOf(one, advice)} description={MEANINGS[one]} disabled={advice !== undefined && !advice.profiles[one].fits} />
        ))}
      </Radio.Group>
      {advice && !advice.profiles[profile].fits && (
        <Text size="sm" className="failure">
          There is no room for it: {bytesLabel(advice.freeBytes)} are free.
        </Text>
      )}
      <Group gap="xs" mt="sm" justify="flex-end">
        <Button variant="default" size="compact-md" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="compact-md" disabled={advice !== undefined && !advice.profiles[profile].fits} onClick={() => onStart(profile)}>
          Make the slide
        </Button>
      </Group>
    </section>
  );
}

function Judging() {
  return (
    <>
      <Loader size={12} mr={6} aria-hidden="true" />
      Judging size and time…
    </>
  );
}

/** There is nothing to choose: started, the job tells why. */
function useStartWhatCannotBeRead(error: Error | null, start: () => void): void {
  const latest = useRef(start);
  useEffect(() => {
    latest.current = start;
  });
  useEffect(() => {
    if (isNoSlide(error)) latest.current();
  }, [error]);
}

function factsOf({ width, height, planes, sourceBytes, rawBytes }: Advice): string {
  const layers = planes > 1 ? `, ${planes} planes` : "";
  return `${sizeLabel(width, height)}${layers}. The file has ${bytesLabel(sourceBytes)}, its pixels ${bytesLabel(rawBytes)}.`;
}

function labelOf(profile: Profile, advice: Advice | undefined): string {
  if (!advice) return NAMES[profile];
  const { bytes, seconds } = advice.profiles[profile];
  return `${NAMES[profile]}: about ${bytesLabel(bytes)}, ${durationLabel(seconds)}`;
}
