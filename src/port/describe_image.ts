import { formatBytes } from '../utils/format_bytes';
import type { FileReference, ImageReference } from './llm';

/** Returns a line that stands for an image: `[image 1: image/png, 12 KiB; note]`. `number` counts from 1. */
export const describeImage = ({ mediaType, bytes }: Pick<ImageReference, 'mediaType' | 'bytes'>, number: number, note?: string): string =>
  `[image ${number}: ${mediaType}, ${formatBytes(bytes)}${note === undefined ? '' : `; ${note}`}]`;

/** Returns a line that stands for a file: `[file 1: report.pdf, application/pdf, 12 KiB; note]`. `number` counts from 1. */
export const describeFile = (
  { name, mediaType, bytes }: Pick<FileReference, 'name' | 'mediaType' | 'bytes'>,
  number: number,
  note?: string,
): string =>
  `[file ${number}: ${[name, mediaType, formatBytes(bytes)].filter(Boolean).join(', ')}${note === undefined ? '' : `; ${note}`}]`;
