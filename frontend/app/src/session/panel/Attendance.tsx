import { Alert, Button, Group, Loader, Stack, Table, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import { attendanceFile, readAttendance } from "@wavescope/core/wire/sessions/sessionsClient";
import { dateLabel } from "../../ui/dates";
import { durationLabel } from "../../ui/format";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../../ui/Dialog";

const REFRESH_MILLISECONDS = 15_000;

/** Who was present and how long, for the host, during and after the session (SE60). */
export function AttendanceDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data, error, isPending } = useQuery({
    queryKey: ["attendance", id],
    queryFn: ({ signal }) => readAttendance(id, signal),
    refetchInterval: REFRESH_MILLISECONDS,
  });
  return (
    <Dialog opened onClose={onClose} title={t("session.attendance")} centered>
      <Stack gap="sm">
        {error && <Alert color="red">{explain(error)}</Alert>}
        {isPending && <Loader size="sm" aria-label={t("common.loading")} />}
        {data && (
          <Table.ScrollContainer minWidth={0} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table fz="sm" aria-label={t("session.attendance")} data-testid="attendance">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t("session.attendanceName")}</Table.Th>
                  <Table.Th>{t("session.attendanceArrival")}</Table.Th>
                  <Table.Th>{t("session.attendanceDeparture")}</Table.Th>
                  <Table.Th>{t("session.attendanceTime")}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.map(({ member, name, guest, visits, seconds }) => {
                  const last = visits.at(-1)?.ended ?? null;
                  return (
                    <Table.Tr key={member}>
                      <Table.Td>
                        {guest ? t("session.membersMarked", { name, marks: t("session.memberGuest") }) : name}
                      </Table.Td>
                      <Table.Td>{dateLabel(visits[0]!.began, "clock")}</Table.Td>
                      <Table.Td>{last === null ? t("session.attendancePresent") : dateLabel(last, "clock")}</Table.Td>
                      <Table.Td>{durationLabel(seconds)}</Table.Td>
                    </Table.Tr>
                  );
                })}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        <Text size="xs" c="dimmed">
          {t("session.attendanceHint")}
        </Text>
        <Group justify="flex-end">
          <Button
            component="a"
            href={attendanceFile(id)}
            download
            variant="default"
            size="compact-sm"
            leftSection={<IconDownload size={14} />}
          >
            {t("session.attendanceSave")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Opens the table. */
export function AttendanceButton({ id, label }: { readonly id: string; readonly label?: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        style={{ alignSelf: "flex-start" }}
        aria-label={label}
        onClick={() => setOpen(true)}
      >
        {t("session.attendance")}
      </Button>
      {open && <AttendanceDialog id={id} onClose={() => setOpen(false)} />}
    </>
  );
}
