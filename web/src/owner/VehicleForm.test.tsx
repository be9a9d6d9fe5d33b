// The parts of the form that follow what is typed and what the type asks for.
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { TextsProvider } from '../i18n';
import { en } from '../i18n/en';
import { EMPTY, type ParamField } from './draft';
import { PlateField, ValueField } from './VehicleForm';

afterEach(cleanup);
const texts = { language: 'en', messages: en } as const;

function Plate({ error }: { error?: string }) {
  const [draft, setDraft] = useState(EMPTY);
  return (
    <TextsProvider initial={texts}>
      <PlateField draft={draft} change={(next) => setDraft({ ...draft, ...next })} errors={error === undefined ? {} : { licensePlate: error }} />
    </TextsProvider>
  );
}

describe('plate', () => {
  test('is shown as it will be stored, while it is typed', () => {
    render(<Plate />);
    fireEvent.change(screen.getByLabelText('Plate'), { target: { value: 'а 123-вс/77' } });
    expect(screen.getByText('А123ВС77')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Plate').value).toBe('а 123-вс/77');
  });

  test('says at once what cannot be in it', () => {
    render(<Plate />);
    const input = screen.getByLabelText('Plate');
    fireEvent.change(input, { target: { value: 'a*1' } });
    expect(input.getAttribute('aria-invalid')).toBe('true');
    const described = input.getAttribute('aria-describedby')?.split(' ').map((id) => document.getElementById(id)?.textContent) ?? [];
    expect(described).toContain('A plate has letters and digits only.');
  });

  test('shows what the service said', () => {
    render(<Plate error="At most 32 letters and digits." />);
    expect(screen.getByText('At most 32 letters and digits.')).toBeTruthy();
  });
});

describe('value of a parameter', () => {
  const unit = { id: 'u', code: 'kg', label: 'kilogram', unitSystem: 'SI', isActive: true, version: 1, createdAt: '', updatedAt: '', createdBy: '', updatedBy: '' };
  const show = (field: Partial<ParamField>, onChange = vi.fn()) => {
    render(
      <TextsProvider initial={texts}>
        <ValueField field={{ id: 'p', name: 'Weight', valueType: 'NUMBER', unit: undefined, required: false, ...field }} value="" onChange={onChange} error={undefined} />
      </TextsProvider>,
    );
    return onChange;
  };

  test('a number has its unit and the keyboard for it', () => {
    show({ unit, required: true });
    expect(screen.getByText('kg')).toBeTruthy();
    const input = screen.getByLabelText<HTMLInputElement>('Weight');
    expect(input.inputMode).toBe('decimal');
    expect(input.required).toBe(true);
  });

  test('yes or no may also be left open', () => {
    const onChange = show({ valueType: 'BOOLEAN' });
    const select = screen.getByLabelText<HTMLSelectElement>('Weight');
    expect([...select.options].map(({ value }) => value)).toEqual(['', 'true', 'false']);
    select.value = 'false';
    fireEvent(select, new Event('change'));
    expect(onChange).toHaveBeenCalledWith('false');
  });

  test('a date has the date control', () => {
    show({ valueType: 'DATE' });
    expect(screen.getByLabelText<HTMLInputElement>('Weight').type).toBe('date');
  });
});
