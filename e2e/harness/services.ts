// The services that the specs of one worker share, by kind: each is started when the first spec asks for it, and given to the next one
// as it began. A test that fails ends its worker, and the services with it.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { startClinic } from "./people.ts";
import { type Headers, restore, slidesOf } from "./restoring.ts";
import { Service, copyStore, removeFolder, temporaryFolder } from "./service.ts";

const copyOfStore = (): string => copyStore(process.env.WAVESCOPE_E2E_STORE!);

/** Beside the store of a service of the kind `empty`: files that are laid there become slides. */
export const watchedBy = (service: Service): string => join(dirname(service.store), "scanner");

const KINDS = {
  /** The slides of the run, for what tests change: annotations, tours, cases, sessions, the service that is killed. */
  slides: async () => ({ service: await Service.start(copyOfStore()), headers: {} }),
  /** The slides of the run on a service with accounts (people.ts). */
  clinic: () => startClinic(copyOfStore()),
  /** No slide yet, and a watched folder: what is imported gets there from outside. */
  empty: async () => {
    const folder = temporaryFolder();
    const watch = join(folder, "scanner");
    mkdirSync(watch);
    return { service: await Service.start(join(folder, "store"), { watch }), headers: {} };
  },
} satisfies Record<string, () => Promise<{ service: Service; headers: Headers }>>;

export type Kind = keyof typeof KINDS;
type Running<K extends Kind> = Awaited<ReturnType<(typeof KINDS)[K]>>;
interface Shared {
  readonly running: { readonly service: Service; readonly headers: Headers };
  readonly begun: Awaited<ReturnType<typeof slidesOf>>;
}

export class Services {
  private readonly shared = new Map<Kind, Shared>();

  /** The one of a kind, as it began. */
  async of<K extends Kind>(kind: K): Promise<Running<K>> {
    const known = this.shared.get(kind);
    if (known) {
      await restore(known.running.service.address, known.begun, known.running.headers);
      return known.running as Running<K>;
    }
    const running = await KINDS[kind]();
    this.shared.set(kind, { running, begun: await slidesOf(running.service.address, running.headers) });
    return running as Running<K>;
  }

  /** With accounts; the slide belongs to Ivan. */
  async clinic(slide: string): Promise<Service> {
    const { service, give } = await this.of("clinic");
    await give(slide);
    return service;
  }

  async stop(): Promise<void> {
    const all = [...this.shared.values()];
    this.shared.clear();
    await Promise.all(all.map(({ running }) => running.service.stop()));
    for (const { running } of all) removeFolder(dirname(running.service.store));
  }
}
