import { Migration } from "@mikro-orm/migrations";

const listed = "where deleted_at is null";

/** Adds the search column and indexes for the admin's list of users. */
export class Migration0015 extends Migration {
  override up(): void {
    // Text is split into words here, because PostgreSQL's parser treats an email address, a signed number or a
    // hyphenated word as one word. schema/search.ts splits queries the same way. The characters are listed
    // explicitly, because classes such as [:alnum:] depend on the database's locale.
    this.addSql(String.raw`
      create function search_words(value text) returns tsvector language sql immutable strict parallel safe as $$
        select to_tsvector('pg_catalog.simple', regexp_replace(
          regexp_replace(normalize(value, NFD), '[\u0300-\u036f]', '', 'g'),
          '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g'))
      $$`);
    // Numbers are also indexed without separators, starting at each group. Australian phone numbers are indexed with and
    // without the country code: 0412345678 finds +61 412 345 678.
    this.addSql(String.raw`
      create function number_words(value text) returns tsvector language plpgsql immutable strict parallel safe as $$
      declare
        groups text[] := string_to_array(btrim(regexp_replace(value, '\D+', ' ', 'g')), ' ');
        numbers text[] := '{}';
        number text;
      begin
        for i in 1 .. cardinality(groups) loop
          number := array_to_string(groups[i:], '');
          numbers := numbers || number;
          if number ~ '^61[1-9]\d{8}$' then numbers := numbers || ('0' || substr(number, 3));
          elsif number ~ '^0\d{9}$' then numbers := numbers || ('61' || substr(number, 2));
          end if;
        end loop;
        return array_to_tsvector(numbers);
      end $$`);
    // '.' separates the fields. It can't be searched for, so a quoted phrase never matches across two fields.
    const gap = "'''.'':1'::tsvector";
    this.addSql(
      `create function user_search(first_name varchar, last_name varchar, company_name varchar, "position" varchar,
         email varchar, mobile varchar, abn varchar) returns tsvector language sql immutable strict parallel safe
       return search_words(first_name || ' ' || last_name) || ${gap} || search_words(company_name) || ${gap}
         || search_words("position") || ${gap} || search_words(email) || ${gap} || search_words(mobile) || ${gap}
         || search_words(abn) || number_words(mobile) || number_words(abn)`,
    );
    this.addSql(
      `alter table users add column search tsvector generated always as
         (user_search(first_name, last_name, company_name, "position", email, mobile, abn)) stored`,
    );
    // The planner needs word frequencies to choose between scanning in order and looking up words.
    this.addSql(`alter table users alter column search set statistics 1000`);
    this.addSql(`create index users_search on users using gin (search) with (fastupdate = off) ${listed}`);
    this.addSql(`drop index users_registered_at_index`);
    this.addSql(
      `create index users_by_joined on users (registered_at, id) include (member_type, archived_at) ${listed}`,
    );
    this.addSql(`create index users_by_type on users (member_type, registered_at, id) include (archived_at) ${listed}`);
    this.addSql(
      `create index users_by_activity on users ((archived_at is null), registered_at, id) include (member_type) ${listed}`,
    );
    this.addSql(
      `create index users_by_confirmation on users ((email_confirmed_at is not null), registered_at, id) ${listed}`,
    );
    for (const column of ["first_name", "last_name", "company_name", "email"])
      this.addSql(`create index users_by_${column} on users (lower(${column}), id) ${listed}`);
    this.addSql(
      `create index users_active_admins on users (id) where member_type = 3 and archived_at is null and deleted_at is null`,
    );
  }
}
