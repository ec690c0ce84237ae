import { Migration } from "@mikro-orm/migrations";

/**
 * Adds the indexes of accounts whose addresses look alike, and of accounts whose country staff should check. Writers don't
 * wait while they are built.
 */
export class Migration0114 extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql("drop index concurrently if exists users_by_look");
    this.addSql(
      `create index concurrently users_by_look on users (replace(replace(translate(sign_in_email, 'аеорсухіјѕһԁɡԛѡвнкмтгпзαορνικτυχωօսոհցքզàáâãäåāçćčèéêëēęìíîïīıłñńòóôõöøōśšùúûüūýÿźżž01', 'aeopcyxijshdgqwbhkmtrn3aopvlktuxwounhgpqaaaaaaaccceeeeeeiiiiiilnnooooooossuuuuuyyzzzol'), 'rn', 'm'), 'vv', 'w'))`,
    );
    this.addSql("drop index concurrently if exists users_unlisted_country");
    this.addSql(
      `create index concurrently users_unlisted_country on users (registered_at, id) where unlisted_country = country and archived_at is null`,
    );
  }
}
