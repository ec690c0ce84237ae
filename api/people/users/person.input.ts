import { Field, InputType } from "type-graphql";

/** Fields shared by registration and profile. This class doesn't appear as a type in the schema. */
@InputType()
export abstract class PersonInput {
  @Field(() => String)
  firstName!: string;
  @Field(() => String)
  lastName!: string;
  @Field(() => String, { nullable: true })
  companyName?: string;
  @Field(() => String)
  position!: string;
  @Field(() => String)
  mobile!: string;
  @Field(() => String, { nullable: true })
  fullAddress?: string;
  @Field(() => String, { nullable: true })
  unitNumber?: string;
  @Field(() => String)
  streetNumber!: string;
  @Field(() => String)
  streetName!: string;
  @Field(() => String)
  city!: string;
  @Field(() => String, {
    description: "A state code such as QLD in Australia and the United States, otherwise free text.",
  })
  state!: string;
  @Field(() => String)
  postCode!: string;
  @Field(() => String, { description: "The country's English name." })
  country!: string;
}
