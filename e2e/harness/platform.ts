// A learning platform on a site of its own: its pages show the tool in a frame, it signs launches, takes what a teacher chooses as
// links of its course, and keeps the scores that arrive (lti.md).
import { createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

const CLAIM = "https://purl.imsglobal.org/spec/lti/claim/";
const DEEP = "https://purl.imsglobal.org/spec/lti-dl/claim/";
const AGS = "https://purl.imsglobal.org/spec/lti-ags/";
const ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#";
const TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration";
const NRPS = "https://purl.imsglobal.org/spec/lti-nrps/";
const SCOPES = [`${AGS}scope/score`, `${NRPS}scope/contextmembership.readonly`];
const KID = "platform";

export const CLIENT = "wavescope";
export const DEPLOYMENT = "1";

type Json = Record<string, unknown>;

/** A person of the course. */
export interface Participant {
  readonly id: string;
  readonly name: string;
  readonly role: "Instructor" | "Learner";
}

/** What a teacher has chosen; with a line item if it has points. */
interface Link {
  readonly title: string;
  readonly url: string;
  readonly points: number | null;
}

export interface Score {
  readonly item: number;
  readonly userId: string;
  readonly scoreGiven: number;
  readonly scoreMaximum: number;
}

interface Answer {
  readonly status?: number;
  readonly html?: string;
  readonly json?: unknown;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
const base64url = (found: unknown): string => Buffer.from(JSON.stringify(found)).toString("base64url");
const page = (body: string): Answer => ({ html: `<!doctype html><meta charset="utf-8"><title>Course</title>${body}` });

export class Platform {
  readonly links: Link[] = [];
  readonly scores: Score[] = [];
  /** Whether it accepts no scores. */
  refusing = false;
  private readonly people = new Map<string, Participant>();
  private readonly key = generateKeyPairSync("rsa", { modulusLength: 2048 });
  private readonly tokens = new Set<string>();
  private client = CLIENT;

  private constructor(
    private readonly server: Server,
    readonly address: string,
    private readonly tool: string,
  ) {}

  /** `tool`: the address of the service. The platform is on `localhost`, which is another site than 127.0.0.1. */
  static async start(tool: string): Promise<Platform> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    const platform = new Platform(server, `http://localhost:${(server.address() as AddressInfo).port}`, tool);
    server.on("request", (request, response) => void platform.respond(request, response));
    return platform;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** What an administrator of the tool enters. */
  facts(): Json {
    return {
      title: "Academy",
      issuer: this.address,
      client_id: CLIENT,
      deployments: [DEPLOYMENT],
      authorize_url: `${this.address}/authorize`,
      token_url: `${this.address}/token`,
      keys_url: `${this.address}/keys`,
    };
  }

  /** The page in which the person adds a link to the course. */
  choosing(person: Participant): string {
    return this.course(person, "choose");
  }

  /** The page of a link of the course; of the first page of the tool without one. */
  showing(person: Participant, link: number | null = null): string {
    return this.course(person, link === null ? "tool" : String(link));
  }

  /** As `choosing`, in a window of the tool's own. */
  choosingInWindow(person: Participant): string {
    this.choosing(person);
    return this.login(person.id, "choose");
  }

  /** What an administrator of the platform opens to register the tool by the tool's invitation. */
  registering(invitation: string): string {
    return `${invitation}&${new URLSearchParams({ openid_configuration: `${this.address}/configuration` })}`;
  }

  private course({ id, name, role }: Participant, what: string): string {
    this.people.set(id, { id, name, role });
    return `${this.address}/course?${new URLSearchParams({ person: id, what })}`;
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const {
      status = 200,
      html,
      json,
    } = await this.answer(request, Buffer.concat(chunks).toString()).catch((error: unknown) => ({
      status: 500,
      html: undefined,
      json: { error: String(error) },
    }));
    response.writeHead(status, { "content-type": html === undefined ? "application/json" : "text/html" });
    response.end(html ?? JSON.stringify(json));
  }

  private async answer(request: IncomingMessage, body: string): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url!, this.address);
    const bearer = request.headers.authorization?.replace("Bearer ", "") ?? "";
    if (pathname === "/course") return this.framed(searchParams.get("person")!, searchParams.get("what")!);
    if (pathname === "/authorize") return this.authorized(searchParams);
    if (pathname === "/return") return this.returned(new URLSearchParams(body).get("JWT")!);
    if (pathname === "/keys")
      return {
        json: { keys: [{ ...this.key.publicKey.export({ format: "jwk" }), kid: KID, alg: "RS256", use: "sig" }] },
      };
    if (pathname === "/token") return this.token(new URLSearchParams(body));
    if (pathname === "/configuration") return { json: this.configuration() };
    if (pathname === "/register") return this.registered();
    if (pathname === "/members" && this.tokens.has(bearer)) return { json: { members: this.members() } };
    const item = /^\/items\/(\d+)\/scores$/.exec(pathname);
    if (item === null || !this.tokens.has(bearer)) return { status: 401, json: {} };
    if (this.refusing) return { status: 503, json: {} };
    this.scores.push({ ...(JSON.parse(body) as Omit<Score, "item">), item: Number(item[1]) });
    return { json: {} };
  }

  /** The tool in a frame, as Moodle and Canvas show it. */
  private framed(person: string, what: string): Answer {
    const from = this.login(person, what);
    return page(
      `<meta name="viewport" content="width=device-width"><style>body{margin:0}iframe{border:0;width:100vw;height:100vh}</style>` +
        `<iframe name="tool" title="Tool" allow="fullscreen" src="${escaped(from)}"></iframe>`,
    );
  }

  /** Where a launch begins. */
  private login(person: string, what: string): string {
    const target = this.links[Number(what)]?.url ?? `${this.tool}/`;
    const query = { iss: this.address, client_id: this.client, login_hint: person, lti_message_hint: what };
    return `${this.tool}/api/v1/lti/login?${new URLSearchParams({ ...query, target_link_uri: target })}`;
  }

  /** Signs the launch that the tool asks for: a form that the browser sends by itself. */
  private authorized(asked: URLSearchParams): Answer {
    const callback = asked.get("redirect_uri")!;
    const person = this.people.get(asked.get("login_hint")!);
    if (callback !== `${this.tool}/api/v1/lti/launch` || !person || asked.get("client_id") !== this.client)
      return { status: 400, json: {} };
    const token = this.signed({ nonce: asked.get("nonce"), ...this.launch(person, asked.get("lti_message_hint")!) });
    return page(
      `<form method="post" action="${escaped(callback)}"><input type="hidden" name="state" value="${escaped(asked.get("state")!)}">` +
        `<input type="hidden" name="id_token" value="${token}"></form><script>document.forms[0].submit()</script>`,
    );
  }

  private launch({ id, name, role }: Participant, what: string): Json {
    const now = Math.floor(Date.now() / 1000);
    const link = this.links[Number(what)];
    const common = {
      iss: this.address,
      aud: this.client,
      sub: id,
      name,
      iat: now,
      exp: now + 60,
      [`${CLAIM}version`]: "1.3.0",
      [`${CLAIM}deployment_id`]: DEPLOYMENT,
      [`${CLAIM}roles`]: [ROLE + role],
      [`${CLAIM}context`]: { id: "course-9", title: "Pathology" },
    };
    if (what === "choose")
      return {
        ...common,
        [`${CLAIM}message_type`]: "LtiDeepLinkingRequest",
        [`${DEEP}deep_linking_settings`]: {
          deep_link_return_url: `${this.address}/return`,
          accept_types: ["ltiResourceLink"],
          accept_presentation_document_targets: ["iframe"],
          data: "opaque",
        },
      };
    const graded = link && link.points !== null;
    return {
      ...common,
      [`${CLAIM}message_type`]: "LtiResourceLinkRequest",
      [`${CLAIM}target_link_uri`]: link?.url ?? `${this.tool}/`,
      [`${CLAIM}resource_link`]: { id: what },
      [`${NRPS}claim/namesroleservice`]: {
        context_memberships_url: `${this.address}/members`,
        service_versions: ["2.0"],
      },
      ...(graded && {
        [`${AGS}claim/endpoint`]: { scope: [`${AGS}scope/score`], lineitem: `${this.address}/items/${what}` },
      }),
    };
  }

  /** Adds what the teacher has chosen to the course. */
  private async returned(token: string): Promise<Answer> {
    const claims = await this.verified(token);
    if (claims.aud !== this.address || claims[`${DEEP}data`] !== "opaque") return { status: 400, json: claims };
    const items = claims[`${DEEP}content_items`] as {
      title: string;
      url: string;
      lineItem?: { scoreMaximum: number };
    }[];
    for (const { title, url, lineItem } of items)
      this.links.push({ title, url, points: lineItem?.scoreMaximum ?? null });
    return page(
      `<h1>Links of the course</h1><ul>${this.links.map(({ title }) => `<li>${escaped(title)}</li>`).join("")}</ul>`,
    );
  }

  /** Everyone who has opened a page of the course. */
  private members(): Json[] {
    return [...this.people.values()].map(({ id, name, role }) => ({ user_id: id, name, roles: [ROLE + role] }));
  }

  /** A token for the tool, which proves itself by its key. */
  private async token(asked: URLSearchParams): Promise<Answer> {
    const claims = await this.verified(asked.get("client_assertion")!);
    const right = claims.iss === this.client && claims.sub === this.client && claims.aud === `${this.address}/token`;
    if (!right || !SCOPES.includes(asked.get("scope")!)) return { status: 401, json: {} };
    const access_token = `token-${this.tokens.size}`;
    this.tokens.add(access_token);
    return { json: { access_token, token_type: "Bearer", expires_in: 3600 } };
  }

  private configuration(): Json {
    return {
      issuer: this.address,
      authorization_endpoint: `${this.address}/authorize`,
      token_endpoint: `${this.address}/token`,
      jwks_uri: `${this.address}/keys`,
      registration_endpoint: `${this.address}/register`,
      "https://purl.imsglobal.org/spec/lti-platform-configuration": { product_family_code: "academy" },
    };
  }

  private registered(): Answer {
    this.client = "given-client";
    return { json: { client_id: this.client, [TOOL]: { deployment_id: DEPLOYMENT } } };
  }

  private signed(claims: Json): string {
    const body = `${base64url({ alg: "RS256", kid: KID, typ: "JWT" })}.${base64url(claims)}`;
    return `${body}.${sign("sha256", Buffer.from(body), this.key.privateKey).toString("base64url")}`;
  }

  /** The claims of a token that the tool has signed. */
  private async verified(token: string): Promise<Json> {
    const answer = await fetch(`${this.tool}/api/v1/lti/keys`);
    const { keys } = (await answer.json()) as { keys: JsonWebKey[] };
    const [head, body, signature] = token.split(".") as [string, string, string];
    const signed = Buffer.from(`${head}.${body}`);
    const right = keys.some((key) =>
      verify("sha256", signed, createPublicKey({ key, format: "jwk" }), Buffer.from(signature, "base64url")),
    );
    if (!right) throw new Error("the signature is not right");
    return JSON.parse(Buffer.from(body, "base64url").toString()) as Json;
  }
}
