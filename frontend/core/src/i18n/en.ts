/** Every text of the page, by area. A text is read by its address: `t("session.end")`. */
import accounts from "./en/accounts.json";
import actions from "./en/actions.json";
import annotate from "./en/annotate.json";
import audit from "./en/audit.json";
import calibration from "./en/calibration.json";
import cases from "./en/cases.json";
import common from "./en/common.json";
import counting from "./en/counting.json";
import compare from "./en/compare.json";
import coverage from "./en/coverage.json";
import description from "./en/description.json";
import edge from "./en/edge.json";
import errors from "./en/errors.json";
import exported from "./en/exported.json";
import exporting from "./en/exporting.json";
import focus from "./en/focus.json";
import gallery from "./en/gallery.json";
import incoming from "./en/incoming.json";
import information from "./en/information.json";
import join from "./en/join.json";
import keyboard from "./en/keyboard.json";
import light from "./en/light.json";
import local from "./en/local.json";
import microscope from "./en/microscope.json";
import names from "./en/names.json";
import navigation from "./en/navigation.json";
import notebook from "./en/notebook.json";
import overlays from "./en/overlays.json";
import page from "./en/page.json";
import picture from "./en/picture.json";
import planner from "./en/planner.json";
import platforms from "./en/platforms.json";
import problems from "./en/problems.json";
import quality from "./en/quality.json";
import quizzes from "./en/quizzes.json";
import receipt from "./en/receipt.json";
import session from "./en/session.json";
import settings from "./en/settings.json";
import sharing from "./en/sharing.json";
import stains from "./en/stains.json";
import together from "./en/together.json";
import tours from "./en/tours.json";
import trash from "./en/trash.json";
import ui from "./en/ui.json";
import viewer from "./en/viewer.json";
import views from "./en/views.json";

export const en = {
  accounts,
  actions,
  annotate,
  audit,
  calibration,
  cases,
  common,
  compare,
  coverage,
  counting,
  description,
  edge,
  errors,
  exported,
  exporting,
  focus,
  gallery,
  incoming,
  information,
  join,
  keyboard,
  light,
  local,
  microscope,
  names,
  navigation,
  notebook,
  overlays,
  page,
  picture,
  planner,
  platforms,
  problems,
  quality,
  quizzes,
  receipt,
  session,
  settings,
  sharing,
  stains,
  together,
  tours,
  trash,
  ui,
  viewer,
  views,
};
