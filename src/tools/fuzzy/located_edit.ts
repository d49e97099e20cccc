import type { EditScript } from './align/edit_script';
import type { FileView } from './locate/file_view';
import type { Location } from './location';
import type { TokenText } from './tokens';

/** An edit whose place in the file is known: the input of the refuse and write rooms. */
export interface LocatedEdit {
  view: FileView;
  location: Location;
  next: TokenText;
  script: EditScript;
}
