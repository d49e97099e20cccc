/** Logins of the gateway at MCP servers that have begun: a person is at the server's own page, and the browser comes back with a code. */
import { AppError, invalidField } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import { McpError, type McpPort, type McpTarget } from '../../port/mcp';

export interface McpLoginDeps {
  mcp: Pick<McpPort, 'beginLogin' | 'finishLogin'>;
  clock: Clock;
  ids: IdSource;
}

interface Begun {
  name: string;
  target: McpTarget;
  redirectUrl: string;
  verifier: string;
  /** Monotonic milliseconds. */
  endsAt: number;
}

const LIMIT_MS = 10 * 60_000;
const MAX_BEGUN = 50;
/** The path of the route to which a browser comes back. */
const CALLBACK = /\/api\/v1\/mcp-servers\/callback$/;

export class McpLogins {
  /** State -> login, the oldest first. The state is a secret of the browser that began the login. */
  private readonly begun = new Map<string, Begun>();

  constructor(private readonly deps: McpLoginDeps) {}

  /** Resolves with the address at which a person lets the gateway in. Rejects with `invalid_request`. */
  async begin(name: string, target: McpTarget, redirectUrl: string): Promise<string> {
    assertRedirectUrl(redirectUrl);
    const { mcp, clock, ids } = this.deps;
    const state = ids.uuid();
    const { url, verifier } = await asAppError(() => mcp.beginLogin(name, target, { redirectUrl, state }));
    this.begun.set(state, { name, target, redirectUrl, verifier, endsAt: clock.monotonic() + LIMIT_MS });
    const [oldest = ''] = this.begun.keys();
    if (this.begun.size > MAX_BEGUN) this.begun.delete(oldest);
    return url;
  }

  /** Ends a login; its state counts once. Resolves with the name of the server. Rejects with `not_found` and `invalid_request`. */
  async finish({ state, code, iss }: { state: string; code: string; iss?: string | undefined }): Promise<string> {
    const login = this.begun.get(state);
    this.begun.delete(state);
    if (!login || login.endsAt < this.deps.clock.monotonic()) {
      throw new AppError('not_found', {
        param: '/state',
        message: 'There is no such login at this gateway, or it began more than 10 minutes ago. Begin it again.',
        messageZh: '此网关没有这个登录，或者它开始于 10 分钟之前。请重新开始。',
      });
    }
    const { name, target, redirectUrl, verifier } = login;
    await asAppError(() => this.deps.mcp.finishLogin(name, target, { redirectUrl, verifier, code, iss }));
    return name;
  }
}

function assertRedirectUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname));
  if (isSafe && url && CALLBACK.test(url.pathname) && url.search === '') return;
  throw invalidField(
    '/redirectUrl',
    'must be the address of this gateway with https, or of this machine, that ends with /api/v1/mcp-servers/callback.',
    '必须是本网关的 https 地址（或本机地址），并以 /api/v1/mcp-servers/callback 结尾。',
  );
}

async function asAppError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof McpError)) throw thrown;
    throw new AppError('invalid_request', { param: '/name', message: thrown.text.en, messageZh: thrown.text['zh-CN'], cause: thrown });
  }
}
