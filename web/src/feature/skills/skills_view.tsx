import type { ViewProps } from '../../chat/view_props';
import { SkillDetail } from './skill_detail';
import { SkillList } from './skill_list';
import '../../components/list/view_parts.css';
import './skills.css';

/** Lists the skills, or shows the one that the address names. */
export function SkillsView({ controller, item }: ViewProps) {
  return item === undefined ? <SkillList controller={controller} /> : <SkillDetail key={item} controller={controller} name={item} />;
}
