import { Spoiler, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { t } from "@wavescope/core/i18n/i18n";
import { type Course, readCourses } from "@wavescope/core/wire/accounts/platformsClient";
import { useAccount } from "../accounts/account";

/** Who of the courses of a learning platform has not begun the quiz, as the platform says now (LT30). */
export function NotBegun({ quiz }: { readonly quiz: string }) {
  const accounts = useAccount()?.mode === "accounts";
  const { data } = useQuery({
    queryKey: ["not-begun", quiz],
    queryFn: ({ signal }) => readCourses(quiz, signal),
    enabled: accounts,
  });
  return data?.map((course) => <OfCourse key={course.title} course={course} />);
}

function OfCourse({ course: { title, people, not_begun, names } }: { readonly course: Course }) {
  if (people === null)
    return (
      <Text size="sm" c="dimmed" data-testid="not-begun">
        {t("quizzes.courseUnread", { title })}
      </Text>
    );
  return (
    <div data-testid="not-begun">
      <Text size="sm">{t("quizzes.notBegun", { title, missing: not_begun, people })}</Text>
      {names.length > 0 && (
        <Spoiler maxHeight={0} showLabel={t("quizzes.showNames")} hideLabel={t("quizzes.hideNames")} fz="sm">
          {names.join(", ")}
        </Spoiler>
      )}
    </div>
  );
}
