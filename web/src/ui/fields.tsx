// Form fields: a label, a control, what it wants, and what is wrong with it.
import { createContext, useContext, useEffect, useId, useState, type ReactNode } from 'react';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  required?: boolean;
  hiddenLabel?: boolean;
  /** Makes the control; the properties tie it to label, hint and error. */
  children: (control: { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined; required: boolean }) => ReactNode;
}

export function Field({ label, hint, error, required = false, hiddenLabel = false, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id} className={required ? 'required' : hiddenLabel ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {children({ id, 'aria-invalid': error === undefined ? undefined : true, 'aria-describedby': describedBy || undefined, required })}
      {error !== undefined && (
        <span className="error" id={`${id}-error`}>
          {error}
        </span>
      )}
      {hint !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

interface TextProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  error?: string | undefined;
  required?: boolean;
  type?: 'text' | 'number' | 'date' | 'search';
  placeholder?: string | undefined;
  hiddenLabel?: boolean;
  list?: string;
  maxLength?: number;
  min?: number;
  max?: number;
  step?: number | 'any';
  inputMode?: 'numeric' | 'decimal';
  multiline?: boolean;
  unit?: string | undefined;
  mono?: boolean;
}

export function TextField({ label, value, onChange, hint, error, required, multiline, unit, mono, hiddenLabel = false, ...input }: TextProps) {
  return (
    <Field label={label} hiddenLabel={hiddenLabel} hint={hint} error={error} {...(required !== undefined && { required })}>
      {(control) =>
        multiline ? (
          <textarea {...control} value={value} onChange={(event) => onChange(event.target.value)} />
        ) : (
          <span className={unit === undefined ? undefined : 'with-unit'}>
            <input
              {...control}
              {...input}
              className={mono ? 'mono' : undefined}
              value={value}
              autoComplete="off"
              onChange={(event) => onChange(event.target.value)}
            />
            {unit !== undefined && <span className="muted">{unit}</span>}
          </span>
        )
      }
    </Field>
  );
}

interface LateProps {
  label: string;
  hint?: string;
  value: string;
  commit: (value: string) => void;
  mono?: boolean;
  /** The label is read out alone. */
  hiddenLabel?: boolean;
  placeholder?: string | undefined;
  inputMode?: 'numeric' | 'decimal';
  type?: 'search' | 'date';
}

/** A text that counts when the reader pauses or leaves the field. */
export function LateText({ label, value, commit, type = 'search', ...rest }: LateProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => commit(text.trim()), 500);
    return () => clearTimeout(timer);
  });
  return <TextField label={label} value={text} onChange={setText} type={type} maxLength={255} {...rest} />;
}

export interface Option {
  value: string;
  label: string;
  group?: string | undefined;
}

interface SelectProps {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
  /** The text of the empty choice; without it there is none. */
  none?: string;
  hint?: ReactNode;
  error?: string | undefined;
  required?: boolean;
  disabled?: boolean;
  /** The label is read out alone. */
  hiddenLabel?: boolean;
}

export function SelectField({ label, value, options, onChange, none, hint, error, required, disabled, hiddenLabel = false }: SelectProps) {
  const groups = [...new Set(options.map((option) => option.group))];
  const shown = (group: string | undefined) =>
    options
      .filter((option) => option.group === group)
      .map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ));
  return (
    <Field label={label} hiddenLabel={hiddenLabel} hint={hint} error={error} {...(required !== undefined && { required })}>
      {(control) => (
        <select {...control} value={value} disabled={disabled} onChange={(event) => onChange(event.target.value)}>
          {none !== undefined && <option value="">{none}</option>}
          {groups.map((group) =>
            group === undefined ? (
              shown(undefined)
            ) : (
              <optgroup key={group} label={group}>
                {shown(group)}
              </optgroup>
            ),
          )}
        </select>
      )}
    </Field>
  );
}

export function CheckField({ label, checked, onChange, error }: { label: ReactNode; checked: boolean; onChange: (checked: boolean) => void; error?: string | undefined }) {
  const id = useId();
  return (
    <div className="field">
      <span className="check">
        <input
          id={id}
          type="checkbox"
          checked={checked}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={(event) => onChange(event.target.checked)}
        />
        <label htmlFor={id}>{label}</label>
      </span>
      {error !== undefined && (
        <span className="error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}

interface ChoicesProps {
  label: string;
  options: readonly Option[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  hint?: string;
  error?: string | undefined;
  required?: boolean;
}

/** Many of many, in the order in which they were chosen. */
export function ChoicesField({ label, options, chosen, onChange, hint, error, required }: ChoicesProps) {
  const id = useId();
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  const toggle = (value: string, on: boolean) => onChange(on ? [...chosen, value] : chosen.filter((other) => other !== value));
  return (
    <fieldset className="field" data-invalid={error === undefined ? undefined : true} aria-describedby={describedBy || undefined}>
      <legend className={required ? 'required' : undefined}>{label}</legend>
      <div className="choices" tabIndex={0} role="group" aria-label={label}>
        {options.map((option) => (
          <label key={option.value} className="check">
            <input type="checkbox" checked={chosen.includes(option.value)} onChange={(event) => toggle(option.value, event.target.checked)} />
            {option.label}
          </label>
        ))}
      </div>
      {error !== undefined && (
        <span className="error" id={`${id}-error`}>
          {error}
        </span>
      )}
      {hint !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </fieldset>
  );
}

/** Whether a form is being sent: its buttons wait. */
export const Sending = createContext(false);

export function SubmitButton({ children }: { children: ReactNode }) {
  const sending = useContext(Sending);
  return (
    <button type="submit" className="button primary" disabled={sending}>
      {children}
    </button>
  );
}
