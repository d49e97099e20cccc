import { useId, useState } from 'preact/hooks';
import type { SessionSummary } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { useModal } from '../basic/use_modal';

/** Characters that the gateway accepts in the name of a project. */
const MAX_NAME = 60;

interface ProjectDialogProps {
  controller: ChatController;
  sessions: readonly SessionSummary[];
  onClose: () => void;
  /** Called with the ids of the chats that were moved. */
  onMoved?: (ids: readonly string[]) => void;
}

/** Moves chats into a project, which exists as long as a chat is in it. An empty name takes them out of their project. */
export function ProjectDialog({ controller, sessions, onClose, onMoved }: ProjectDialogProps) {
  const messages = useMessages();
  const projects = useStore(controller.store, state => state.projects);
  const [name, setName] = useState(sessions[0]?.project ?? '');
  const isBlank = name.trim() === '';
  const isInProject = sessions.some(({ project }) => project !== undefined);
  const dialog = useModal();
  const titleId = useId();
  const listId = useId();
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={titleId} data-testid="project-dialog" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault();
          const project = name.trim() || null;
          onClose();
          const ids = sessions.map(({ id }) => id);
          void controller.sessions.change(ids, { project }).then(onMoved);
        }}
      >
        <h2 id={titleId}>{messages.moveToProject}</h2>
        <label class="project-field">
          {messages.projectName}
          <input
            type="text"
            list={listId}
            value={name}
            maxLength={MAX_NAME}
            data-testid="project-name"
            onInput={event => setName(event.currentTarget.value)}
          />
        </label>
        <datalist id={listId}>
          {projects.map(project => (
            <option key={project.name} value={project.name} />
          ))}
        </datalist>
        <p>{messages.projectNote}</p>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            {messages.cancel}
          </button>
          <button type="submit" class="button primary" data-testid="move" disabled={isBlank && !isInProject}>
            {isBlank && isInProject ? messages.noProject : messages.move}
          </button>
        </div>
      </form>
    </dialog>
  );
}
