import { useId } from 'react';
import type { Model } from '../../../../../../src/api/management/models.ts';
import { findModel, isReady } from './models.ts';

type Props = { models: readonly Model[]; value: string; onChange: (model: string) => void };

export function ModelSelect({ models, value, onChange }: Props) {
  const id = useId();
  return (
    <div className="row">
      <label htmlFor={id} className="small">
        Model
      </label>
      <select id={id} className="inline" value={value} onChange={(event) => onChange(event.target.value)}>
        {findModel(models, value) === undefined && <option>{value}</option>}
        {models.map((model) => (
          <option key={model.id} value={model.id}>
            {model.id}
            {isReady(model) ? '' : ' (not installed)'}
          </option>
        ))}
      </select>
    </div>
  );
}
