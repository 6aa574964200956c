import { Alert, Badge, Box, Button, Center, Group, Loader, Text, Stack, Title } from "@mantine/core";
import { IconArrowMoveRight, IconPencil, IconPlayerPlay, IconPlus, IconRoute, IconSchool } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Case, deleteCase } from "@wavescope/core/wire/catalog/casesClient";
import { beginAttempt, listQuizzes } from "@wavescope/core/wire/catalog/quizzesClient";
import { listTours } from "@wavescope/core/wire/catalog/toursClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { PageHeader } from "../accounts/PageHeader";
import { Failure } from "../accounts/Failure";
import { useMay } from "../accounts/account";
import { ShareButton } from "../sharing/ShareButton";
import { ConfirmButton } from "../ui/ConfirmButton";
import styles from "../ui/page.module.css";
import { errorOf, refreshSlides } from "../state/queries";
import { casePath, follow, navigate, slidePath, tourPath } from "../state/router";
import { showPanel } from "../microscope/panelState";
import { takeQuiz } from "../quizzes/quizState";
import { AddSlidesDialog } from "./AddSlidesDialog";
import { AddToPage } from "./AddToPage";
import { EditCaseDialog, NewCaseDialog } from "./CaseDialogs";
import { CaseFilter } from "./CaseFilter";
import { CasePath } from "./CasePath";
import { CasesInside } from "./CasesInside";
import { SlidesSeen } from "./SlidesSeen";
import { CaseSlides } from "./CaseSlides";
import { MoveDialog } from "./MoveDialog";
import { useCase } from "./queries";
import { KIND_NAMES } from "./kinds";
import { nextSlide, useProgress } from "./progress";
import { t } from "@wavescope/core/i18n/i18n";
import { MarkdownText } from "../ui/MarkdownText";
import { usePageTitle } from "../ui/usePageTitle";
import { RecordingList, useRecordings } from "../session/panel/RecordingList";

/** A case: its slides in their order, and what can be done with it. */
export function CasePage({ id }: { readonly id: string }) {
  const query = useCase(id);
  usePageTitle(query.data?.title);
  if (query.data) return <OpenCase slideCase={query.data} />;
  const error = errorOf(query);
  return (
    <div className={styles.page}>
      <PageHeader title={t("cases.case")} />
      <main className={styles.main}>
        <Center mih="60dvh">
          {error ? <Failure error={error} thing="case" /> : <Loader aria-label={t("cases.loadingCase")} />}
        </Center>
      </main>
    </div>
  );
}

function OpenCase({ slideCase }: { readonly slideCase: Case }) {
  const [dialog, setDialog] = useState<"edit" | "add" | "move" | "new" | null>(null);
  const may = useMay("instructor");
  const client = useQueryClient();
  const close = (): void => setDialog(null);
  const remove = useMutation({
    mutationFn: () => deleteCase(slideCase.id),
    onSuccess: () => {
      navigate("/");
      return refreshSlides(client);
    },
  });
  const progress = useProgress();
  const next = nextSlide(slideCase.slides, progress.seen);
  const among = (slides: ReadonlySet<string>): number => slideCase.slides.filter(({ id }) => slides.has(id)).length;
  const count = among(progress.seen);
  return (
    <div className={styles.page} data-testid="case-page">
      <PageHeader title={slideCase.title}>
        <Badge variant="light" color="gray" tt="none" size="lg" radius="sm">
          {slideCase.kind === "case" ? t("cases.case") : t("cases.collection")}
        </Badge>
        {may && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPencil size={14} />}
            onClick={() => setDialog("edit")}
          >
            {t("cases.edit")}
          </Button>
        )}
        {may && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconArrowMoveRight size={14} />}
            onClick={() => setDialog("move")}
          >
            {t("cases.moveTo")}
          </Button>
        )}
        <ShareButton
          kind="case"
          id={slideCase.id}
          title={slideCase.title}
          unshared={slideCase.slides.flatMap(({ shared, title }) => (shared ? [] : [title]))}
        />
        {may && (
          <ConfirmButton
            label={t("common.delete")}
            confirmLabel={t("cases.deleteKeepingSlides", { kind: KIND_NAMES[slideCase.kind] })}
            loading={remove.isPending}
            onConfirm={() => remove.mutate()}
          />
        )}
      </PageHeader>
      <main className={styles.main}>
        <CasePath id={slideCase.id} />
        <Group mb="md">
          {next && (
            <Button
              leftSection={<IconPlayerPlay size={16} />}
              onClick={() => navigate(slidePath(next.id), { case: slideCase.id })}
            >
              {t(count > 0 && count < slideCase.slides.length ? "cases.continue" : "common.open")}
            </Button>
          )}
          {may && (
            <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setDialog("add")}>
              {t("cases.addSlides")}
            </Button>
          )}
          {may && slideCase.kind === "collection" && (
            <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setDialog("new")}>
              {t("cases.newIn")}
            </Button>
          )}
          {slideCase.slides.length > 0 && <AddToPage slides={slideCase.slides} />}
          <Text size="sm" c="dimmed" role="status">
            {t("common.slides", { count: slideCase.slides.length })}
          </Text>
          {next && <SlidesSeen count={count} reviewed={among(progress.reviewed)} total={slideCase.slides.length} />}
        </Group>
        {remove.error && <Alert color="red">{explain(remove.error)}</Alert>}
        {slideCase.slides.length > 1 && <CaseFilter kind={slideCase.kind} />}
        {slideCase.description && (
          <Box maw={760} mb="lg" data-testid="case-description">
            <MarkdownText text={slideCase.description} />
          </Box>
        )}
        <CasesInside id={slideCase.id} />
        <CaseTours id={slideCase.id} />
        <CaseQuizzes slideCase={slideCase} />
        <CaseSlides slideCase={slideCase} progress={progress} />
        <CaseRecordings slides={slideCase.slides.map(({ id }) => id)} />
      </main>
      {dialog === "edit" && <EditCaseDialog slideCase={slideCase} onClose={close} />}
      {dialog === "add" && <AddSlidesDialog slideCase={slideCase} onClose={close} />}
      {dialog === "move" && <MoveDialog id={slideCase.id} title={slideCase.title} onClose={close} />}
      {dialog === "new" && (
        <NewCaseDialog parent={slideCase.id} onClose={close} onSaved={({ id }) => navigate(casePath(id))} />
      )}
    </div>
  );
}

/** The tours of the case: each begins at its first stop. */
function CaseTours({ id }: { readonly id: string }) {
  const tours = useQuery({
    queryKey: ["tours", { case: id }],
    queryFn: ({ signal }) => listTours({ case: id }, signal),
  });
  if (!tours.data?.length) return tours.error && <Alert color="red">{explain(tours.error)}</Alert>;
  return (
    <Stack gap="xs" mb="lg" align="flex-start">
      <Title order={2} size="h5">
        {t("page.tours")}
      </Title>
      {tours.data.map((tour) => (
        <Button
          key={tour.id}
          component="a"
          href={tourPath(tour.id)}
          onClick={(event) => follow(event, tourPath(tour.id))}
          variant="default"
          size="compact-md"
          leftSection={<IconRoute size={16} />}
          data-testid="case-tour"
        >
          {tour.title} · {t("tours.stops", { count: tour.waypoints })}
        </Button>
      ))}
    </Stack>
  );
}

/** The quizzes of the case: they are taken beside its slides. */
function CaseQuizzes({ slideCase: { id, slides } }: { readonly slideCase: Case }) {
  const quizzes = useQuery({
    queryKey: ["quizzes", { case: id }],
    queryFn: ({ signal }) => listQuizzes({ case: id }, signal),
  });
  const take = useMutation({
    mutationFn: beginAttempt,
    onSuccess: (attempt) => {
      takeQuiz(attempt.id);
      showPanel("tours");
      const slide = attempt.questions[0]?.slide ?? slides[0]?.id;
      if (slide) navigate(slidePath(slide), { case: id });
    },
  });
  const error = quizzes.error ?? take.error;
  if (!quizzes.data?.length) return error && <Alert color="red">{explain(error)}</Alert>;
  return (
    <Stack gap="xs" mb="lg" align="flex-start">
      <Title order={2} size="h5">
        {t("quizzes.quizzes")}
      </Title>
      {quizzes.data.map((quiz) => (
        <Button
          key={quiz.id}
          onClick={() => take.mutate(quiz.id)}
          variant="default"
          size="compact-md"
          leftSection={<IconSchool size={16} />}
          data-testid="case-quiz"
        >
          {quiz.title} · {t("quizzes.count", { count: quiz.questions })}
        </Button>
      ))}
      {error && <Alert color="red">{explain(error)}</Alert>}
    </Stack>
  );
}

/** The recordings of live sessions that show slides of the case. */
function CaseRecordings({ slides }: { readonly slides: readonly string[] }) {
  const recordings = useRecordings(slides);
  if (recordings.length === 0) return null;
  return (
    <Stack gap="xs" mt="xl" maw={480}>
      <Title order={2} size="h5">
        {t("session.recordings")}
      </Title>
      <RecordingList recordings={recordings} />
    </Stack>
  );
}
