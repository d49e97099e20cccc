import { clipStart } from './clip_text';

const MAX_UNITS = 80;
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N}'’.,()·/-]+/gu;

/** A place name that is safe to show: line breaks, tags and markup become spaces, because a stranger chose the name. At most 80 UTF-16 units. */
export const placeName = (text: string): string =>
  clipStart(
    text
      .slice(0, 10 * MAX_UNITS)
      .replace(NOT_IN_NAMES, ' ')
      .trim(),
    MAX_UNITS,
  );
