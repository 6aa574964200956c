import { Button, Stack } from "@mantine/core";
import { mayHandOver } from "@wavescope/core/session/state";
import { follow, navigate, slidePath } from "../../state/router";
import { Heading } from "./Heading";
import type { Participant } from "../state/live";
import { slidesOf } from "../state/stage";
import styles from "../session.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** The session's slides: the presenter takes all along, others look alone. */
export function SessionSlides({ session, you }: Participant) {
  return (
    <Stack gap={4}>
      <Heading>{t("session.slides")}</Heading>
      <ul className={styles.list} aria-label={t("session.slidesOfSession")}>
        {session.slides.map(({ id, title }) => {
          const shown = slidesOf(session.stage).includes(id);
          return (
            <li key={id}>
              <Button
                component="a"
                href={slidePath(id)}
                onClick={(event: React.MouseEvent) => follow(event, slidePath(id))}
                variant={shown ? "light" : "subtle"}
                color={shown ? undefined : "gray"}
                size="compact-sm"
                fullWidth
                justify="flex-start"
                aria-current={shown ? "true" : undefined}
              >
                {title}
              </Button>
            </li>
          );
        })}
      </ul>
      {mayHandOver(session, you) && (
        <Button variant="default" size="compact-sm" onClick={() => navigate("/")}>
          {t("session.anotherSlide")}
        </Button>
      )}
    </Stack>
  );
}
