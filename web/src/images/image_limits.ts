/** Limits of the images of one message, as the gateway checks them. */

export const MAX_IMAGES = 8;
/** Bytes of all images of a message. In base64 they need a third more, and the message with its text may have 896 KiB. */
export const MAX_IMAGES_BYTES = 600 * 1024;
/** Bytes of a message with images, less some for its other fields. */
const MAX_MESSAGE_BYTES = 890 * 1024;
/** Bytes of a file that the page tries to read. */
export const MAX_FILE_BYTES = 30 * 1024 * 1024;

/** Returns true when the text and the images, as data: addresses, fit into one message. */
export function fitsMessage(text: string, images: readonly string[]): boolean {
  const size = new Blob([JSON.stringify(text)]).size + images.reduce((sum, { length }) => sum + length, 0);
  return size <= MAX_MESSAGE_BYTES;
}
