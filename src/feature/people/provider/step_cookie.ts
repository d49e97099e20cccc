/** The cookie of a login at a provider that has begun. */

/** What these functions use of a request and its answer. */
interface StepContext {
  get(header: string): string;
  set(header: string, value: string): void;
  append(header: string, value: string): void;
  state: { basePath: string; publicAddress: { protocol: string; host: string } };
}

const STEP_COOKIE = 'neta_auth';
const STEP = new RegExp(`(?:^|;)\\s*${STEP_COOKIE}=([\\w-]{1,4096})\\s*(?:;|$)`);

export const readStep = (ctx: StepContext): string | undefined => STEP.exec(ctx.get('cookie'))?.[1];

/** SameSite=Lax: the browser comes back from the site of the provider. `maxAgeMs` 0 removes the cookie. */
export function setStep(ctx: StepContext, value: string, maxAgeMs: number): void {
  const { basePath, publicAddress } = ctx.state;
  const secure = publicAddress.protocol === 'https' ? '; Secure' : '';
  const attributes = `Path=${basePath}/auth; HttpOnly; SameSite=Lax; Max-Age=${Math.floor(maxAgeMs / 1_000)}${secure}`;
  ctx.append('set-cookie', `${STEP_COOKIE}=${value}; ${attributes}`);
  ctx.set('cache-control', 'no-store');
}

/** Returns the address to which a provider sends the browser back. */
export function callbackUrlOf({ state: { publicAddress, basePath } }: StepContext, provider: string): string {
  return `${publicAddress.protocol}://${publicAddress.host}${basePath}/auth/${provider}/callback`;
}
