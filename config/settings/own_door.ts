/** Recognises addresses of the gateway itself in lists of addresses. */

const LOOPBACK_HOST = /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/;

/** Returns true when an entry such as `127.0.0.1:7001` names the port of the gateway on this machine. */
export function isOwnDoor(entry: string, port: number): boolean {
  const { hostname } = new URL(`http://${entry}`);
  return LOOPBACK_HOST.test(hostname) && Number(entry.slice(entry.lastIndexOf(':') + 1)) === port;
}
