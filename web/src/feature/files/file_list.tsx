import { useRef, useState } from 'preact/hooks';
import { type FileRow, fileHref, listFiles } from '../../api/file_api';
import type { ChatController } from '../../chat/chat_controller';
import { Icon } from '../../components/basic/icon';
import { RelativeTime } from '../../components/basic/relative_time';
import { focusViewHeading } from '../../components/basic/use_return_focus';
import { PagedRows } from '../../components/list/paged_rows';
import { usePagedList } from '../../components/list/use_paged_list';
import { formatBytes } from '../../i18n/format';
import { useLocale } from '../../i18n/language_context';
import { onPlainClick } from '../../platform/plain_click';
import { viewHref } from '../../platform/view_url';
import { DeleteFile } from './delete_file';
import { fileTexts } from './file_texts';
import { useUploads } from './use_uploads';

interface FileListProps {
  /** Empty for the workspace, else with a slash at its end. */
  directory: string;
  controller: ChatController;
}

/** Lists a directory. Files that are picked, or dropped on the page, are stored in it. */
export function FileList({ directory, controller }: FileListProps) {
  const texts = fileTexts[useLocale()];
  const path = directory.replace(/\/$/, '');
  const list = usePagedList(directory, cursor => listFiles(path, cursor));
  const uploads = useUploads(directory, () => void list.refresh());
  const [deleting, setDeleting] = useState<FileRow>();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <div class="view-toolbar view-tools end">
        <button type="button" class="button primary" data-testid="upload-files" onClick={() => picker.current?.click()}>
          <Icon name="plus" />
          {texts.upload}
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          data-testid="upload-picker"
          onChange={event => {
            void uploads.add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
      </div>
      {uploads.isOver && <p class="file-drop">{texts.dropHere}</p>}
      <ul class="file-notes" role="status" data-testid="upload-notes">
        {uploads.notes.map(({ text, isProblem }) => (
          <li key={text} class={isProblem ? 'form-error' : undefined}>
            {text}
          </li>
        ))}
      </ul>
      <PagedRows
        list={list}
        label={texts.fileList}
        testId="files"
        empty={texts.noFiles}
        more={texts.moreFiles}
        controller={controller}
        renderRow={row => <Row key={row.path} row={row} controller={controller} onDelete={() => setDeleting(row)} />}
      />
      {deleting && (
        <DeleteFile
          path={deleting.path}
          controller={controller}
          onDeleted={() => {
            setDeleting(undefined);
            list.change(rows => rows.filter(({ path }) => path !== deleting.path));
            focusViewHeading();
          }}
          onBack={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

interface RowProps {
  row: FileRow;
  controller: ChatController;
  onDelete: () => void;
}

function Row({ row, controller, onDelete }: RowProps) {
  const locale = useLocale();
  const texts = fileTexts[locale];
  const isDirectory = row.type === 'directory';
  const item = isDirectory ? `${row.path}/` : row.path;
  return (
    <li class="view-row file-row" data-testid="file" data-path={row.path}>
      <Icon name={isDirectory ? 'list_dir' : 'read_file'} />
      <div class="row-main">
        <a
          class="file-name"
          href={viewHref({ name: 'files', item })}
          data-testid="open-file"
          onClick={onPlainClick(() => controller.openView({ name: 'files', item }))}
        >
          {row.name}
        </a>
        <p class="row-facts">
          {!isDirectory && <span>{formatBytes(row.size, locale)}</span>}
          <RelativeTime iso={row.modifiedAt} />
        </p>
      </div>
      {!isDirectory && (
        <div class="row-actions">
          <a
            class="icon-button"
            href={fileHref(row.path)}
            download
            aria-label={texts.downloadFile(row.name)}
            title={texts.downloadFile(row.name)}
            data-testid="download-file"
          >
            <Icon name="down" />
          </a>
          <button
            type="button"
            class="icon-button"
            aria-label={texts.deleteFile(row.name)}
            title={texts.deleteFile(row.name)}
            data-testid="delete-file"
            onClick={onDelete}
          >
            <Icon name="trash" />
          </button>
        </div>
      )}
    </li>
  );
}
