/** Addresses of images that the gateway has, for image elements. */
import { readAccessKey } from './access_key';
import { API_BASE, requestRest } from './call_rest';

/** The browser sends a login cookie with its request for the image. It cannot send the key of a page that has no cookie. */
export const isReadByBrowser = (address: string): boolean => readAccessKey() === undefined || !address.startsWith(API_BASE);

/**
 * Reads the image with the key of the page and resolves with a `blob:` address, which the caller revokes. Rejects with a RequestError. `address`: below
 * API_BASE.
 */
export async function readImage(address: string, signal?: AbortSignal): Promise<string> {
  const response = await requestRest('GET', address.slice(API_BASE.length), { headers: { accept: '*/*' }, signal });
  return URL.createObjectURL(await response.blob());
}
