import type { EditScript } from './align/edit_script';
import type { FileView } from './locate/file_view';
import type { Location } from './location';
import type { TokenText } from './tokens';

/** A place in the file, new_string, and what new_string keeps of old_string. */
export interface LocatedEdit {
  view: FileView;
  location: Location;
  next: TokenText;
  script: EditScript;
}
