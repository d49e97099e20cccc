import { isFilePath } from '../../api/file_api';
import type { ViewProps } from '../../chat/view_props';
import { FileList } from './file_list';
import { FileNotice } from './file_notice';
import { FilePage } from './file_page';
import { Place } from './place';
import '../../components/list/view_parts.css';
import './files.css';

/** Shows the workspace. The item of the address is a path: with a slash at its end a directory, else a file. */
export function FilesView({ controller, item = '' }: ViewProps) {
  const isDirectory = item === '' || item.endsWith('/');
  if (item !== '' && !isFilePath(item.replace(/\/$/, ''))) return <FileNotice text="noFile" />;
  return (
    <>
      <Place path={item} controller={controller} />
      {isDirectory ? (
        <FileList key={item} directory={item} controller={controller} />
      ) : (
        <FilePage key={item} path={item} controller={controller} />
      )}
    </>
  );
}
