/** Parts of a skill that the list and the page of one skill share. */
import { useState } from 'preact/hooks';
import { refusalOf } from '../../api/request_error';
import type { ChatController } from '../../chat/chat_controller';
import { Icon } from '../../components/basic/icon';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useScope } from '../../state/scope_context';
import { type SkillSummary, switchSkill } from './skill_api';
import { skillTexts } from './skill_texts';

interface SkillSwitchProps {
  skill: SkillSummary;
  controller: ChatController;
  onChange: (next: SkillSummary) => void;
}

/** Turns a skill on or off. A broken skill has no switch: its problems come first. */
export function SkillSwitch({ skill, controller, onChange }: SkillSwitchProps) {
  const messages = useMessages();
  const texts = skillTexts[useLocale()];
  const [isSending, setSending] = useState(false);
  const canChange = useScope('admin');
  if (skill.problems.length > 0 || !canChange) return null;
  const flip = async () => {
    setSending(true);
    try {
      onChange(await switchSkill(skill.name, !skill.enabled));
    } catch (error) {
      controller.notify(refusalOf(error) ?? messages.requestFailed);
    } finally {
      setSending(false);
    }
  };
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={skill.enabled}
      aria-label={texts.turnOn(skill.name)}
      aria-disabled={isSending}
      title={skill.enabled ? texts.skillOn : texts.skillOff}
      data-testid="skill-switch"
      onClick={() => !isSending && void flip()}
    />
  );
}

/** Names each mistake with its file and line: first mistakes that keep the skill from being used, then the others. */
export function SkillProblems({ skill: { problems, warnings } }: { skill: SkillSummary }) {
  const texts = skillTexts[useLocale()];
  return (
    <>
      <Mistakes title={texts.skillProblems} rows={problems} testId="skill-problems" />
      <Mistakes title={texts.skillWarnings} rows={warnings} testId="skill-warnings" />
    </>
  );
}

function Mistakes({ title, rows, testId }: { title: string; rows: readonly string[]; testId: string }) {
  if (rows.length === 0) return null;
  return (
    <div class={testId === 'skill-warnings' ? 'skill-problems minor' : 'skill-problems'} data-testid={testId}>
      <Icon name="alert" />
      <div>
        {title}
        <ul>
          {rows.map(row => (
            <li key={row}>{row}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
