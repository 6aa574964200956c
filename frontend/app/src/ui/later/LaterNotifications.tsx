import { later } from "./Later";

/** Notices given before the first picture wait for it. */
export const LaterNotifications = later(
  async () => {
    const [{ Notifications }] = await Promise.all([
      import("@mantine/notifications"),
      import("@mantine/notifications/styles.layer.css"),
    ]);
    return () => <Notifications position="bottom-left" />;
  },
  { afterPicture: true },
);
