import { Button, Center, Loader, Stack, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useEffect } from "react";
import { warmUp } from "../../viewer/sources";
import { obstacleOf, useManifest } from "../queries";
import { navigate, useQueryParameter } from "../router";
import { OpenFailure } from "../slide/OpenFailure";
import slideStyles from "../slide/slide.module.css";
import { CompareView } from "./CompareView";

/** Two slides (or one slide twice) beside or upon each other; see viewer/pair/address.ts for the address. */
export function ComparePage() {
  useEffect(warmUp, []);
  const left = useQueryParameter("left");
  const right = useQueryParameter("right");
  if (left && right) return <Both key={`${left}|${right}`} left={left} right={right} />;
  return (
    <Center className={slideStyles.page} component="main">
      <Stack align="flex-start">
        <Title order={1} size="h3">
          The address names no two slides
        </Title>
        <Button variant="default" onClick={() => navigate("/")}>
          To the gallery
        </Button>
      </Stack>
    </Center>
  );
}

function Both({ left, right }: { readonly left: string; readonly right: string }) {
  const one = useManifest(left);
  const other = useManifest(right);
  const titles = [one.data?.title, other.data?.title];
  useDocumentTitle(titles[0] && titles[1] ? `${titles[0]} | ${titles[1]} – Wavescope` : "Wavescope");
  const reload = (): void => {
    void one.refetch();
    void other.refetch();
  };
  if (one.data && other.data) {
    return <CompareView key={`${one.data.digest}|${other.data.digest}`} left={one.data} right={other.data} onReload={reload} />;
  }
  const obstacle = (one.data ? null : obstacleOf(one)) ?? (other.data ? null : obstacleOf(other));
  return (
    <Center className={slideStyles.page} component="main">
      {obstacle ? <OpenFailure error={obstacle} /> : <Loader aria-label="Opening the slides" />}
    </Center>
  );
}
