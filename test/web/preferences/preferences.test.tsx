import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import {
  applyTheme,
  choose,
  chooseLanguage,
  usePreferences,
} from '../../../src/web/preferences/preferences.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { signedInNetwork } from '../_network.ts'
import { NAME, openPage, signOut } from '../_page.tsx'

const root = document.documentElement
afterEach(async () => {
  applyTheme(undefined)
  await loadLanguage('en')
})

/** As another tab of the browser does. */
function chooseElsewhere(key: string, newValue: string | undefined): void {
  if (newValue === undefined) localStorage.removeItem(key)
  else localStorage.setItem(key, newValue)
  dispatchEvent(new StorageEvent('storage', { key, newValue: newValue ?? null }))
}

test('a choice of another tab holds here too, and so does its removal', async () => {
  const { network } = await openPage('/', await signedInNetwork('none'))
  await screen.findByRole('button', { name: 'Sign in · 1–2 requests' })
  chooseElsewhere('plimsoll.theme', 'dark')
  expect(root.dataset['theme']).toBe('dark')
  chooseElsewhere('plimsoll.shortcuts', 'off')
  expect(usePreferences.getState().shortcuts).toBe('off')
  chooseElsewhere('plimsoll.language', 'ja')
  expect(await screen.findByLabelText('言語')).toHaveValue('ja')
  expect(root.lang).toBe('ja')
  for (const name of ['theme', 'shortcuts', 'language']) chooseElsewhere(`plimsoll.${name}`, undefined)
  expect(await screen.findByLabelText('Language')).toHaveValue('')
  expect(usePreferences.getState()).toEqual({})
  expect(root).not.toHaveAttribute('data-theme')
  expect(network.spent()).toBe(0)
})

test('another tab’s sign-out clears the storage and changes nothing here', async () => {
  await openPage('/', await signedInNetwork('none'))
  choose({ theme: 'dark' })
  localStorage.clear()
  dispatchEvent(new StorageEvent('storage', { key: null }))
  expect(root.dataset['theme']).toBe('dark')
})

test('the choices are stored again after a sign-out, whose answer clears the storage', async () => {
  localStorage.setItem('plimsoll.theme', 'dark')
  const { user } = await openPage('/')
  await screen.findByText(NAME)
  await chooseLanguage('en')
  choose({ shortcuts: 'off' })
  localStorage.clear()
  await signOut(user)
  await screen.findByText('You are signed out')
  await waitFor(() =>
    expect(Object.fromEntries(Object.entries(localStorage))).toEqual({
      'plimsoll.language': 'en',
      'plimsoll.theme': 'dark',
      'plimsoll.shortcuts': 'off',
    }),
  )
})

test('nothing is stored for a person who chose nothing', async () => {
  const { user } = await openPage('/')
  await screen.findByText(NAME)
  await signOut(user)
  await screen.findByText('You are signed out')
  expect(localStorage).toHaveLength(0)
})

test('the second of two chosen languages holds, however long the first takes', async () => {
  await openPage('/', await signedInNetwork('none'))
  await Promise.all([chooseLanguage('ja'), chooseLanguage('en')])
  expect(root.lang).toBe('en')
  expect(usePreferences.getState().language).toBe('en')
  expect(localStorage.getItem('plimsoll.language')).toBe('en')
})
