/** The exact fault of a request, if the code of its problem leaves it open. */

export type Fault =
  | 'body_not_json'
  | 'body_incomplete'
  | 'body_not_an_object'
  /** A member or parameter that the route does not know; `known` lists the names that it knows. */
  | 'unknown_member'
  | 'unknown_parameter'
  | 'repeated_parameter'
  | 'format_unknown'
  | 'no_page_begins_there'
  | 'csrf_header_missing'
  | 'not_same_origin'
  | 'other_organization'
  | 'state_malformed'
  | 'return_to_malformed'
  | 'code_malformed'
  | 'code_verifier_malformed'
  | 'value_not_a_string'
  | 'count_not_in_range'
  | 'month_was_reset_not_true'
  | 'read_at_malformed'
  | 'read_at_in_the_future'
  | 'read_at_before_this_month'
  | 'too_many_readings'
  | 'name_missing'
  | 'days_not_in_range'
  | 'too_many_links'
  /** An open link of the organization has this name. */
  | 'name_taken'
  /** No watch link has this secret: it was never made, was withdrawn, or has ended. */
  | 'link_ended'
  /** The request lacks the cookie of its watch link. */
  | 'cookie_missing'
  /** Nobody has entered the code of a pairing yet. */
  | 'code_not_entered'
  /** The other browser shows another number. */
  | 'number_differs'
  | 'name_too_long'
  /** Line breaks, invisible characters, and those that turn the direction of the text. */
  | 'name_has_hidden_characters'
