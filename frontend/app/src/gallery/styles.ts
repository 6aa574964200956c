/**
 * The styles of the gallery's components that the first load has not (ui/later/firstStyles.ts), in the order of Mantine's own sheet: the
 * gallery does not wait for those of all others. The build checks the list (bundling/firstLoad.ts).
 */
import "@mantine/core/styles/Group.layer.css";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/Combobox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/CheckboxCard.layer.css";
import "@mantine/core/styles/CheckboxIndicator.layer.css";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/NavLink.layer.css";
import "@mantine/core/styles/Skeleton.layer.css";
import "@mantine/core/styles/Title.layer.css";
