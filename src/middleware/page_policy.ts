/** The Content-Security-Policy and Permissions-Policy of each answer, and which addresses pages of other sites may load. */

/** People speak to the chat page alone: frames inside it get no microphone. The page uses no camera and asks for no place. */
export const PERMISSIONS = 'microphone=(self), camera=(), geolocation=()';

/** Frames of blob: addresses show PDF files of the workspace; only the page's own code makes such an address. */
const POLICY =
  "default-src 'self'; frame-src 'self' blob:; img-src 'self' data:; style-src 'self'; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'self'";

/**
 * For the frame that draws diagrams of answers (web/public/diagram.html): no origin, no network, no forms. It may style itself, as mermaid does, and
 * runs its own script, named by its hash, and the program that the page sends it.
 */
export const DIAGRAM_POLICY =
  "default-src 'none'; script-src 'sha256-hywUSXp+0dnMFDxc5uo/8OnhDz9xtFaPwyw5ZFDLQuE=' blob:; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts";
const DIAGRAM_PAGE = '/diagram.html';

/**
 * For the frame that shows pages and drawings of answers (web/public/artifact.html): no origin, no network, no forms, no windows. They run their own
 * scripts and styles. The policy of the page around keeps the frame from going to another address.
 */
const ARTIFACT_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts";
const ARTIFACT_PAGE = '/artifact.html';

/** For pages that read images with their key, and show them from blob: addresses. */
const WITH_KEY = POLICY.replace('img-src', 'img-src blob:');

/** The chat that other pages show in a frame. */
const EMBEDDED_CHAT = '/embed';
/** The page of a link to a chat. */
const SHARED_CHAT = '/shared';
/** The script that puts this frame into a page. */
const EMBEDDING_SCRIPT = '/neta-chat.js';

/** Only the embedded chat, and the diagrams and previews in it, may stand in frames of other pages, and only of those whose origin is in `origins`. */
export function policyOf(path: string, origins: readonly string[]): string {
  const ancestors = `frame-ancestors ${["'self'", ...origins].join(' ')}`;
  const policy = path.endsWith(DIAGRAM_PAGE) ? DIAGRAM_POLICY : path.endsWith(ARTIFACT_PAGE) ? ARTIFACT_POLICY : undefined;
  if (policy) return policy.replace("frame-ancestors 'self'", ancestors);
  // A guest shows the token of the link as a key.
  if (path === SHARED_CHAT) return `${WITH_KEY}; frame-ancestors 'none'`;
  if (path !== EMBEDDED_CHAT) return `${POLICY}; frame-ancestors 'none'`;
  return `${WITH_KEY}; ${ancestors}`;
}

/** Returns true for the script that every page may load. The frame that it makes still asks for an allowed origin. */
export const isScriptForAll = ({ method, path }: { method?: string | undefined; path: string }): boolean =>
  path === EMBEDDING_SCRIPT && (method === 'GET' || method === 'HEAD');

/** Returns true when another site's page opens the embedded chat in a frame: `policyOf` tells the browser whether it may show it. */
export const opensEmbeddedChat = (path: string, { mode, target }: { mode: unknown; target: unknown }): boolean =>
  path === EMBEDDED_CHAT && mode === 'navigate' && target === 'iframe';
