const HASH = /^#invitation=([\w-]{1,128})$/;

/** Returns the token of the invitation in the address of the page; undefined without one. */
export const invitationToken = (): string | undefined => HASH.exec(location.hash)?.[1];

/** Takes the token out of the address, so that it is not kept in bookmarks and shown to others. */
export function forgetInvitation(): void {
  history.replaceState(history.state, '', location.pathname + location.search);
}
