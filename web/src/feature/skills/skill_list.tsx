import { useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { Icon } from '../../components/basic/icon';
import { useReturnFocus } from '../../components/basic/use_return_focus';
import { PagedRows } from '../../components/list/paged_rows';
import { usePagedList } from '../../components/list/use_paged_list';
import { useLocale } from '../../i18n/language_context';
import { onPlainClick } from '../../platform/plain_click';
import { viewHref } from '../../platform/view_url';
import { useScope } from '../../state/scope_context';
import { listSkills, type SkillSummary } from './skill_api';
import { NewSkillForm } from './skill_form';
import { SkillProblems, SkillSwitch } from './skill_parts';
import { skillTexts } from './skill_texts';

export function SkillList({ controller }: { controller: ChatController }) {
  const texts = skillTexts[useLocale()];
  const list = usePagedList('skills', listSkills);
  const canChange = useScope('admin');
  const [isCreating, setCreating] = useState(false);
  const newButton = useReturnFocus(isCreating);
  const openSkill = (name: string) => controller.openView({ name: 'skills', item: name });
  return (
    <>
      {!canChange && <p class="field-hint">{texts.needsAdmin}</p>}
      {isCreating ? (
        <NewSkillForm
          taken={list.rows.map(skill => skill.name)}
          onSaved={skill => openSkill(skill.name)}
          onBack={() => setCreating(false)}
        />
      ) : (
        canChange && (
          <div class="view-toolbar view-tools end">
            <button ref={newButton} type="button" class="button primary" data-testid="new-skill" onClick={() => setCreating(true)}>
              <Icon name="plus" />
              {texts.newSkill}
            </button>
          </div>
        )
      )}
      <PagedRows
        list={list}
        label={texts.skillList}
        testId="skills"
        empty={texts.noSkills}
        more={texts.moreSkills}
        controller={controller}
        renderRow={skill => (
          <SkillRow
            key={`${skill.source} ${skill.name}`}
            skill={skill}
            controller={controller}
            onOpen={() => openSkill(skill.name)}
            onChange={next => list.change(rows => rows.map(row => (row === skill ? { ...row, ...next } : row)))}
          />
        )}
      />
    </>
  );
}

interface SkillRowProps {
  skill: SkillSummary;
  controller: ChatController;
  onOpen: () => void;
  onChange: (next: SkillSummary) => void;
}

function SkillRow({ skill, controller, onOpen, onChange }: SkillRowProps) {
  return (
    <li class="view-row" data-testid="skill" data-name={skill.name} data-source={skill.source}>
      <div class="row-main">
        <a class="skill-name" href={viewHref({ name: 'skills', item: skill.name })} data-testid="open-skill" onClick={onPlainClick(onOpen)}>
          {skill.name}
        </a>
        {skill.description && <p class="skill-description">{skill.description}</p>}
        <SkillProblems skill={skill} />
        <SkillFacts skill={skill} />
      </div>
      <SkillSwitch skill={skill} controller={controller} onChange={onChange} />
    </li>
  );
}

function SkillFacts({ skill: { source, files, tools } }: { skill: SkillSummary }) {
  const texts = skillTexts[useLocale()];
  return (
    <p class="row-facts">
      <span class="tag">{texts.bySource[source]}</span>
      {files.length > 1 && <span>{texts.fileCount(files.length)}</span>}
      {tools.length > 0 && <span>{texts.usesTools(tools.join(', '))}</span>}
    </p>
  );
}
