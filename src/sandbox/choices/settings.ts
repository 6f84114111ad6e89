/** The settings screens (U76 to U80). */
import { choice } from './choice.ts'

export const SETTINGS_CHOICES = {
  whokeys: choice(76, '5.1, 5.2', {
    statement: 'Administrators can manage keys; only they can manage applications.',
    why: 'The word "only" stands in 5.2.5 and is missing in 5.1.4.',
    values: {
      members_own: 'members issue and manage their own, administrators all',
      admins_only: 'administrators alone',
    },
  }),
  overmax: choice(77, '8.1', {
    statement: 'There is a maximum; how the screen shows it is not stated.',
    why: 'No form is filled in to be refused.',
    values: {
      action_disabled: 'the action is disabled, with the reason',
      form_error: 'the form comes back with an error',
      error_page: 'an error page',
    },
  }),
  keyedit: choice(78, '5.1', {
    statement: 'Keys can be edited; what can be edited is not stated.',
    why: 'Only the description was entered (5.1.2).',
    values: {
      description: 'the description',
      description_and_value: 'the description, and a new value for the key',
    },
  }),
  appedit: choice(79, '5.2', {
    statement: 'Applications can be managed; what can be managed is not stated.',
    why: 'What was entered (5.2.3) can be changed and deleted.',
    values: {
      edit_and_delete: 'name, description and redirect URI; deleting',
      edit_delete_and_new_secret: 'those, and a new secret',
      delete_only: 'deleting',
    },
  }),
  visibility: choice(80, '5.1, 5.2', {
    statement: 'An issued key is viewable, an application shows its secret; for how long is not stated.',
    why: 'The plain reading: whenever the list is opened.',
    values: {
      always: 'readable at any time',
      masked: 'hidden until asked for',
      secret_once: 'the secret of an application is shown once',
    },
  }),
}
