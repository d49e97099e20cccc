import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { RequestError } from '../../api/request_error';
import type { ChatController } from '../../chat/chat_controller';
import { MarkdownView } from '../../components/answer/markdown_view';
import { ConfirmDialog } from '../../components/basic/confirm_dialog';
import { Icon } from '../../components/basic/icon';
import { useReturnFocus } from '../../components/basic/use_return_focus';
import { ViewSpinner } from '../../components/basic/view_spinner';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useScope } from '../../state/scope_context';
import { deleteSkill, getSkill, type Skill } from './skill_api';
import { splitDocument } from './skill_document';
import { SkillFiles } from './skill_files';
import { EditSkillForm } from './skill_form';
import { SkillProblems, SkillSwitch } from './skill_parts';
import { skillTexts } from './skill_texts';

interface SkillDetailProps {
  controller: ChatController;
  name: string;
}

/** Shows one skill with its text and its files. */
export function SkillDetail({ controller, name }: SkillDetailProps) {
  const messages = useMessages();
  const texts = skillTexts[useLocale()];
  const { skill, problem, setSkill } = useSkill(name);
  const openList = () => controller.openView({ name: 'skills' });
  return (
    <>
      <button type="button" class="link-button crumb" data-testid="all-skills" onClick={openList}>
        ‹ {texts.allSkills}
      </button>
      {!skill && !problem && <ViewSpinner />}
      {problem && (
        <div class="view-notice" role="alert" data-testid="view-notice">
          <p>{problem === 'missing' ? texts.skillMissing : messages.requestFailed}</p>
        </div>
      )}
      {skill && <SkillPage skill={skill} controller={controller} onChange={setSkill} onDeleted={openList} />}
    </>
  );
}

function useSkill(name: string) {
  const [skill, setSkill] = useState<Skill>();
  const [problem, setProblem] = useState<'missing' | 'failed'>();
  useEffect(() => {
    let isShown = true;
    getSkill(name).then(
      found => isShown && setSkill(found),
      (error: unknown) => isShown && setProblem(error instanceof RequestError && error.code === 'not_found' ? 'missing' : 'failed'),
    );
    return () => {
      isShown = false;
    };
  }, [name]);
  return { skill, problem, setSkill };
}

interface SkillPageProps {
  skill: Skill;
  controller: ChatController;
  onChange: (skill: Skill) => void;
  onDeleted: () => void;
}

function SkillPage({ skill, controller, onChange, onDeleted }: SkillPageProps) {
  const texts = skillTexts[useLocale()];
  const [isEditing, setEditing] = useState(false);
  const editButton = useReturnFocus(isEditing);
  const canChange = useScope('admin');
  const isOwn = skill.source === 'agent';
  return (
    <article class="skill-page" data-testid="skill-page">
      <header class="skill-head">
        <h2>{skill.name}</h2>
        {isOwn && canChange && !isEditing && (
          <SkillActions
            skill={skill}
            controller={controller}
            editButton={editButton}
            onEdit={() => setEditing(true)}
            onDeleted={onDeleted}
          />
        )}
        <SkillSwitch skill={skill} controller={controller} onChange={next => onChange({ ...skill, ...next })} />
      </header>
      {skill.description && <p class="skill-description">{skill.description}</p>}
      {(!isOwn || !canChange) && <p class="field-hint">{canChange ? texts.readOnly : texts.needsAdmin}</p>}
      <SkillProblems skill={skill} />
      {isEditing ? (
        <EditSkillForm
          skill={skill}
          onSaved={next => {
            setEditing(false);
            onChange({ ...skill, ...next });
          }}
          onBack={() => setEditing(false)}
        />
      ) : (
        <SkillText content={skill.content} />
      )}
      <SkillFiles skill={skill} />
    </article>
  );
}

interface SkillActionsProps {
  skill: Skill;
  controller: ChatController;
  editButton: RefObject<HTMLButtonElement>;
  onEdit: () => void;
  onDeleted: () => void;
}

function SkillActions({ skill, controller, editButton, onEdit, onDeleted }: SkillActionsProps) {
  const messages = useMessages();
  const texts = skillTexts[useLocale()];
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    setAsking(false);
    try {
      await deleteSkill(skill.name);
      onDeleted();
    } catch {
      controller.notify(messages.requestFailed);
    }
  };
  return (
    <>
      {skill.content !== undefined && (
        <button
          ref={editButton}
          type="button"
          class="icon-button small"
          title={texts.editSkill}
          aria-label={texts.editSkill}
          data-testid="edit-skill"
          onClick={onEdit}
        >
          <Icon name="pencil" />
        </button>
      )}
      <button
        type="button"
        class="icon-button small"
        title={texts.deleteSkill}
        aria-label={texts.deleteSkill}
        data-testid="delete-skill"
        onClick={() => setAsking(true)}
      >
        <Icon name="trash" />
      </button>
      {isAsking && (
        <ConfirmDialog
          title={texts.deleteQuestion}
          text={texts.deleteExplanation(skill.name)}
          action={texts.deleteSkill}
          onConfirm={() => void remove()}
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** Shows the instructions as Markdown; the front matter folds. */
function SkillText({ content }: { content: string | undefined }) {
  const texts = skillTexts[useLocale()];
  if (content === undefined) return null;
  const { frontMatter, text } = splitDocument(content);
  return (
    <div class="skill-body">
      <MarkdownView text={text} done />
      {frontMatter && (
        <details class="skill-fold">
          <summary>
            {texts.frontMatter}
            <span class="chevron">
              <Icon name="chevron" />
            </span>
          </summary>
          <pre class="output">{frontMatter}</pre>
        </details>
      )}
    </div>
  );
}
